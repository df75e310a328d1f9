output "granted" {
  description = "The keys that service agents may use, known once they may."
  value       = toset([for one in google_kms_crypto_key_iam_member.agent : one.crypto_key_id])
}
