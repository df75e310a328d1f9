output "custom_roles" {
  description = "Custom roles that grants name: id, title, description and permissions. `mint_tokens` and `sign_urls` are not here: terraform/customers creates them."
  value       = local.custom_roles
}

output "grants" {
  description = "Grants of the deployed functions: for each `function/grant` the function, the role, the kind of resource it is on, and its name (a database, a dataset, or dataset.table)."
  value = {
    for pair in flatten([for name in var.functions : [for grant in var.permissions[name].grants : { function = name, grant = grant }]]) :
    "${pair.function}/${pair.grant}" => {
      function = pair.function
      role     = local.grants[pair.grant].role
      on       = split(":", local.grants[pair.grant].on)[0]
      name     = try(split(":", local.grants[pair.grant].on)[1], null)
    }
  }

  precondition {
    condition     = alltrue([for tables in values(local.unreached) : length(tables) == 0])
    error_message = "A function's statements name tables that no grant of the function reaches: ${jsonencode({ for name, tables in local.unreached : name => tables if length(tables) > 0 })}."
  }
}
