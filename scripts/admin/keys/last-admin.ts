/** What is said before a customer loses its last machine-account admin access. */
export const LAST_ADMIN =
  "This is the customer's last key with machine-account admin access: without one it can neither list, make nor rotate its keys; only this tool can.";
