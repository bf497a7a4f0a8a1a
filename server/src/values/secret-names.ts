/** Names of fields and settings with secret values, which neither the log nor the audit log shows. */
export const secretName =
  /pass|pwd|secret|token|credential|authorization|dsn|cookie|bearer|\bpin\b|(?:api|access|private|encryption|signing|shared|license)[-_.: ]?key/i
