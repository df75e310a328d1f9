# Who encrypts with customers' keys.
mock_provider "google" {}

run "planned" {
  command = plan
  variables {
    kms_keys = {
      europe = "projects/keys/locations/europe/keyRings/populus/cryptoKeys/stores"
      region = "projects/keys/locations/europe-north1/keyRings/populus/cryptoKeys/stores"
    }
  }
  module {
    source = "../environment-plan/tests/production"
  }
}

run "each_product_that_stores_encrypts_with_both_keys_and_nobody_else_does" {
  command = plan
  variables {
    members = { kms_key = run.planned.plan.members.kms_key }
  }

  assert {
    condition = toset([for one in google_kms_crypto_key_iam_member.agent : "${split("/", one.crypto_key_id)[3]} ${one.member} ${one.role}"]) == toset(flatten([
      for location in ["europe", "europe-north1"] : [
        for agent in ["bq-123456789@bigquery-encryption", "service-123456789@gcp-sa-firestore", "service-123456789@gs-project-accounts"] :
        "${location} serviceAccount:${agent}.iam.gserviceaccount.com roles/cloudkms.cryptoKeyEncrypterDecrypter"
      ]
    ]))
    error_message = jsonencode([for one in google_kms_crypto_key_iam_member.agent : [one.crypto_key_id, one.member]])
  }
}

run "without_keys_nobody_is_granted_any" {
  command = plan
  variables {
    members = { kms_key = {} }
  }

  assert {
    condition     = length(output.granted) == 0
    error_message = jsonencode(output.granted)
  }
}
