# Each product encrypts as its service agent, which must have the key before anything is created with it.
resource "google_kms_crypto_key_iam_member" "agent" {
  for_each = var.members.kms_key

  crypto_key_id = each.value.name
  role          = each.value.role
  member        = each.value.member
}
