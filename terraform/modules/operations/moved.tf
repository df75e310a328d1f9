# For environments that were created before distributions had one resource.
moved {
  from = google_logging_metric.chore["freePlaces"]
  to   = google_logging_metric.distribution["sweep_freeplaces"]
}

moved {
  from = google_logging_metric.chore["leftovers"]
  to   = google_logging_metric.distribution["sweep_leftovers"]
}

moved {
  from = google_logging_metric.chore["overdue"]
  to   = google_logging_metric.distribution["sweep_overdue"]
}

moved {
  from = google_logging_metric.chore["untouched"]
  to   = google_logging_metric.distribution["sweep_untouched"]
}
