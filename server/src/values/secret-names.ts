/** Names of fields and settings whose values are secrets: neither the log nor the audit log shows them. */
export const secretName =
  /pass|pwd|secret|token|credential|authorization|dsn|cookie|bearer|\bpin\b|(?:api|access|private|encryption|signing|shared|license)[-_.: ]?key/i
