/** SAML metadata at an address that a tenant chose. */
import { invalid } from '../../../errors/app-error.ts'
import type { ProviderFetch } from '../../../outbound/fetch.ts'

const headers = { accept: 'application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1' }

/** Reads an address by the rules for providers. Throws 400 if the address gives no document. */
export const readAddress = async ({ ask }: ProviderFetch, address: string): Promise<string> => {
  const url = URL.parse(address)
  if (!url || url.username || url.password) throw invalid('metadata_url', 'must be a web address')
  try {
    const response = await ask(url.href, { method: 'GET', headers })
    if (response.status === 200) return await response.text()
  } catch {
    // The answer has no reason, because a reason would reveal hosts of the inner network.
  }
  throw invalid('metadata_url', 'does not answer with a document of up to 256 KiB')
}
