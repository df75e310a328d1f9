/** The warning before a customer loses its last machine-account admin access. */
export const LAST_ADMIN =
  "This is the customer's last key with machine-account admin access. Without one, only this tool can list, create or rotate its keys.";
