/** Names of fields and settings with secret values. Neither the log nor the audit log shows these values. */
export const secretName =
  /pass|pwd|secret|token|credential|authorization|dsn|cookie|bearer|\bpin\b|(?:api|access|private|encryption|signing|shared|license)[-_.: ]?key/i
