# The functions' grants. Which grants a function has is generated from its code (`infra/generated/permissions.json`): what it opens, and what its
# statements read and write. Which role on which resource a grant is stands in `scripts/terraform/grants.ts`, with the reasons. The local cloud enforces
# both files.
locals {
  table = jsondecode(file("${path.module}/../../../infra/generated/grants.json"))

  # A grant is a role on one resource.
  grants = local.table.grants

  # Roles that Google does not have, by the name that a grant uses.
  custom_roles = local.table.custom_roles

  # Tables that a function's statements name and that none of its grants reaches. A grant reaches a table by itself or by its dataset.
  unreached = {
    for name, needs in var.permissions : name => [
      for table in setunion(needs.tables, needs.writes) : table
      if !anytrue([
        for grant in needs.grants : contains(["table:${table}", "dataset:${split(".", table)[0]}"], local.grants[grant].on)
        && contains(contains(needs.writes, table) ? ["roles/bigquery.dataEditor"] : ["roles/bigquery.dataEditor", "roles/bigquery.dataViewer"], local.grants[grant].role)
      ])
    ]
  }
}
