resource "google_firebaserules_ruleset" "this" {
  project = var.project_id

  source {
    files {
      name    = "firestore.rules"
      content = file("${var.definitions_folder}/firestore.rules")
    }
  }

  depends_on = [google_firestore_database.this]
}

# Between the old release and the new one there is none. Firestore then denies every client, as these rules do anyway.
resource "google_firebaserules_release" "this" {
  project      = var.project_id
  name         = var.database == "(default)" ? "cloud.firestore" : "cloud.firestore/${var.database}"
  ruleset_name = "projects/${var.project_id}/rulesets/${google_firebaserules_ruleset.this.name}"

  lifecycle {
    replace_triggered_by = [google_firebaserules_ruleset.this]
  }
}
