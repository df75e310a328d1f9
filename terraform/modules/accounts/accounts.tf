# Service accounts: one a function, and one that calls each worker and each schedule. An id has at most 30 characters; a longer one is cut and
# ends in a part of its hash, so that it stays what it is when others come and go.
locals {
  long_ids = {
    functions = { for name in var.functions : name => "fn-${name}" }
    callers   = { for name in var.called : name => "call-${name}" }
  }

  ids = {
    for kind, ids in local.long_ids : kind => {
      for name, id in ids : name => length(id) <= 30 ? id : "${trimsuffix(substr(id, 0, 23), "-")}-${substr(sha256(id), 0, 6)}"
    }
  }
}
