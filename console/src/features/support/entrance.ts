/** The request of a product that a person opens in a support session: its server gets a code after a click. */
export interface Entrance {
  supportId: string
  clientId: string
  codeChallenge: string
  state: string
}

const read = (): Entrance | undefined => {
  // The router would read digits as a number, and change a long state.
  const search = new URLSearchParams(location.search)
  const [supportId, clientId, codeChallenge] = [
    search.get('support_session'),
    search.get('client_id'),
    search.get('code_challenge'),
  ]
  if (!supportId || !clientId || !codeChallenge) return undefined
  return { supportId, clientId, codeChallenge, state: search.get('state') ?? '' }
}

/** As the address had it when the document was loaded. */
export const entrance = read()
