# Named by its content: the same archive is never uploaded twice, and another one is another object, so that the function is built anew.
resource "google_storage_bucket_object" "source" {
  bucket       = var.source_bucket
  name         = "${var.name}/${filesha256(var.bundle)}.zip"
  source       = var.bundle
  content_type = "application/zip"

  lifecycle {
    create_before_destroy = true
  }
}
