variable "sizes" {
  description = "Numbers of customers to count for."
  type        = set(number)
  default     = [10, 100, 1000]
  nullable    = false
}
