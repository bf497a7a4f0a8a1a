import type { AuthOptions, Profile, Tenant } from '@tenantry/client'
import { createContext, useContext } from 'react'

/** The signed-in person, for all parts of the pages. */
export interface Account {
  user: Profile
  /** The tenant of the session. */
  tenant: Tenant
  options: AuthOptions
  /** An account without a password proves itself by a fresh sign-in. */
  hasPassword: boolean
  /** Reads the person anew. */
  renew: () => void
  /** Confirms a success, also to screen readers. */
  say: (text: string) => void
}

export const AccountContext = createContext<Account | undefined>(undefined)

export const useAccount = (): Account => {
  const account = useContext(AccountContext)
  if (!account) throw new Error('no account')
  return account
}
