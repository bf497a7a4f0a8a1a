import { createStore } from '../store.ts'

const key = 'tenantry.entered'

interface Entered {
  /** The user who entered, with the user's tenant. */
  by: string
  id: string
}

const read = (): Entered | undefined => {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Entered | null) ?? undefined
  } catch {
    return undefined
  }
}

const store = createStore(read())

/** The tenant that a caller entered last. Another start of the page at an address without a tenant offers it. */
export const lastTenant = {
  useValue: store.useValue,
  set: (entered: Entered | undefined): void => {
    store.set(entered)
    if (entered) localStorage.setItem(key, JSON.stringify(entered))
    else localStorage.removeItem(key)
  },
}
