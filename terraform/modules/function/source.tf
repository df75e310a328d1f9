# Named by its content: the same archive is never uploaded twice, and a changed one is a new object, so the function is rebuilt.
resource "google_storage_bucket_object" "source" {
  bucket       = var.source_bucket
  name         = "${var.name}/${filesha256(var.bundle)}.zip"
  source       = var.bundle
  content_type = "application/zip"

  lifecycle {
    create_before_destroy = true
  }
}
