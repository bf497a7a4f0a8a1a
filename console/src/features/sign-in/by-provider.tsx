import { useEffect, useState } from 'react'
import { discover, type FoundConnection } from '../../hosted/discover.ts'
import { ProviderButton, type ProviderButtonProps } from './provider-button.tsx'

interface ByProviderProps extends Omit<ProviderButtonProps, 'found' | 'email'> {
  email: string | undefined
}

/** The way to the provider that an address leads to, where it leads to one. */
export const ByProvider = ({ email, ...button }: ByProviderProps) => {
  const [found, setFound] = useState<FoundConnection>()
  useEffect(() => {
    const ask = async (): Promise<void> => setFound(email ? await discover(email) : undefined)
    void ask()
  }, [email])
  return email && found && <ProviderButton found={found} email={email} {...button} />
}
