locals {
  # A customer's views are those of its scenarios; C has none.
  views = merge([
    for uid, customer in local.customers : {
      for name, view in var.views : "${replace(view.dataset, "{uid}", uid)}.${name}" => {
        dataset     = replace(view.dataset, "{uid}", uid)
        description = view.description
        query       = replace(replace(view.query, "{uid}", uid), "{project}", var.data_project)
        reads       = view.reads
        scenario    = view.scenario
        table       = "${view.reads}.${replace(view.table.table, "{uid}", uid)}"
        uid         = uid
        view        = name
      } if contains(customer.scenarios, view.scenario)
    }
  ]...)

  # Each view reads a table of its customer's own, so that what a query is billed tells nothing of others. They are in the data project, where the functions
  # load them. Only their views may be authorised on the datasets that hold them.
  tables = merge([
    for uid, customer in local.customers : {
      for name, view in var.views : "${view.reads}.${replace(view.table.table, "{uid}", uid)}" => {
        clustering    = view.table.clustering
        dataset       = view.reads
        description   = view.table.description
        expiration_ms = view.table.partition.expiration_ms
        field         = view.table.partition.field
        schema        = jsonencode([for column in view.table.schema : { for member, value in column : member => value if value != null }])
        table         = replace(view.table.table, "{uid}", uid)
        type          = view.table.partition.type
        uid           = uid
      } if contains(customer.scenarios, view.scenario)
    }
  ]...)

  datasets = merge([
    for uid, customer in local.customers : {
      for name, view in var.views : replace(view.dataset, "{uid}", uid) => {
        description = view.dataset_description
        location    = lower(view.location) == "eu" ? "EU" : var.region
        project     = local.projects[uid]
        scenario    = view.scenario
        uid         = uid
      } if contains(customer.scenarios, view.scenario)
    }
  ]...)

  # Warehouse tokens need a key with the warehouse scope, and headcounts need the realtime scope. A token belongs to the account, not to a key. So if no
  # key of a customer has both scopes, its account can read nothing.
  readers = { for uid, customer in local.customers : uid => "warehouse-${uid}" if length(setsubtract(["realtime", "warehouse"], customer.scopes)) == 0 }

  # Scenario B: the account runs queries in its delivery project and reads its own dataset. In scenario A the customer's project runs and
  # pays for the queries and reads through the listing, so the account needs no grant here.
  dataset_readers = { for id, dataset in local.datasets : id => local.readers[dataset.uid] if dataset.scenario == "B" && can(local.readers[dataset.uid]) }
  warehouse_users = toset(values(local.dataset_readers))

  listings = {
    for id, dataset in local.datasets : id => {
      description = "Headcounts of the maps that ${dataset.uid} monitors, every five minutes"
      listing_id  = id
      name        = "Headcounts ${dataset.uid}"
      project     = dataset.project
      uid         = dataset.uid
    } if dataset.scenario == "A"
  }

  # The customer's warehouse token can subscribe in a project that grants the account access. People subscribe as themselves.
  subscribers = merge([
    for id, listing in local.listings : {
      for member in setunion(
        [for account in [try(local.readers[listing.uid], null)] : local.accounts[account].member if account != null],
        try(var.subscribers[listing.uid], []),
      ) : "${id} ${member}" => { listing = id, member = member }
    }
  ]...)
}
