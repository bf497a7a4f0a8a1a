import type { AuthOptions } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { send } from './send.ts'

/** The ways to an account that the installation has; undefined before, and without, an answer. */
export const useOptions = (): AuthOptions | undefined => {
  const [options, setOptions] = useState<AuthOptions>()
  useEffect(() => {
    const read = async (): Promise<void> =>
      setOptions(await send<AuthOptions>('GET', '/api/v1/auth/options').catch(() => undefined))
    void read()
  }, [])
  return options
}
