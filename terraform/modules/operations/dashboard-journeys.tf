# The page of user journeys: a row of four tiles to each (modules/operations-plan).
resource "google_monitoring_dashboard" "journeys" {
  project = var.project_id

  dashboard_json = jsonencode({
    displayName = "Populus ${var.environment}: user journeys"
    labels      = { for key, value in var.labels : key => "" }
    mosaicLayout = {
      columns = 48
      tiles = [
        for index, tile in module.plan.tiles : merge(
          { for side, at in { xPos = index % 4 * 12, yPos = floor(index / 4) * 12 } : side => at if at > 0 },
          { width = 12, height = 12, widget = { title = tile.title, xyChart = { dataSets = local.journey_lines[index] } } },
        )
      ]
    }
  })
}

locals {
  journey_lines = [
    for tile in module.plan.tiles : [
      for line in tile.lines : merge(
        { for name, text in { legendTemplate = line.legend } : name => text if text != null },
        {
          plotType   = "LINE"
          targetAxis = "Y1"
          timeSeriesQuery = {
            timeSeriesFilter = {
              filter = line.slo == null ? line.filter : "select_slo_budget_fraction(\"${google_monitoring_slo.objective[line.slo].name}\")"
              aggregation = merge(
                { alignmentPeriod = "300s", perSeriesAligner = line.aligner },
                { for name, reducer in { crossSeriesReducer = line.reducer } : name => reducer if reducer != null },
                { for name, fields in { groupByFields = line.by } : name => fields if length(fields) > 0 },
              )
            }
          }
        },
      )
    ]
  ]
}
