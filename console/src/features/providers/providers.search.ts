/** The results of a test, as the service names them in the address. */
export const testResults = [
  'known',
  'proof',
  'new',
  'refused',
  'provider_refused',
  'provider_unreachable',
  'answer_invalid',
  'token_invalid',
  'userinfo_invalid',
  'subject_missing',
  'hosted_domain',
  'client_refused',
] as const
export type TestResult = (typeof testResults)[number]

export interface ProviderSearch {
  /** The result of the test that has come back. */
  test?: TestResult | undefined
}

export const providerSearch = (raw: Record<string, unknown>): ProviderSearch => {
  const test = testResults.find((one) => one === raw['test'])
  return test ? { test } : {}
}
