# What is promised, and how much of it is used up. modules/operations-plan decides; the tables are in scripts/terraform/operations.
module "plan" {
  source = "../operations-plan"

  endpoints   = var.endpoints
  log_metrics = var.log_metrics
  objectives  = var.objectives
  url_map     = var.url_map
}

resource "google_monitoring_custom_service" "journey" {
  for_each = module.plan.journeys

  project      = var.project_id
  service_id   = "populus-${each.key}"
  display_name = "Populus ${var.environment}: ${each.value}"
  user_labels  = var.labels
}

resource "google_monitoring_slo" "objective" {
  for_each = module.plan.slos

  project             = var.project_id
  service             = google_monitoring_custom_service.journey[each.value.journey].service_id
  slo_id              = each.key
  display_name        = each.value.title
  goal                = each.value.goal
  rolling_period_days = 28
  user_labels         = var.labels

  request_based_sli {
    dynamic "distribution_cut" {
      for_each = each.value.distribution == null ? {} : { cut = each.value.distribution }
      content {
        distribution_filter = distribution_cut.value.filter

        range {
          max = distribution_cut.value.max
        }
      }
    }

    dynamic "good_total_ratio" {
      for_each = each.value.ratio == null ? {} : { ratio = each.value.ratio }
      content {
        bad_service_filter   = good_total_ratio.value.bad
        good_service_filter  = good_total_ratio.value.good
        total_service_filter = good_total_ratio.value.total
      }
    }
  }

  depends_on = [time_sleep.metrics]
}
