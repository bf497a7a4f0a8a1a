import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { discover, startOf, type FoundConnection } from '../../hosted/discover.ts'
import { useTranslation } from '../../translation.ts'

interface ByProviderProps extends ButtonProps {
  email: string | undefined
  target?: '_blank'
  onLeave?: (() => void) | undefined
}

/** The way to the provider that an address leads to, where it leads to one. */
export const ByProvider = ({ email, onLeave, ...button }: ByProviderProps) => {
  const { t } = useTranslation()
  const [found, setFound] = useState<FoundConnection>()
  useEffect(() => {
    const ask = async (): Promise<void> => setFound(email ? await discover(email) : undefined)
    void ask()
  }, [email])
  return (
    email &&
    found && (
      <Button
        component="a"
        href={startOf({ found, email })}
        rel="noreferrer"
        variant="default"
        className="wraps"
        {...button}
        onClick={onLeave}
      >
        {t('signIn.provider', { tenant: found.tenant.name, name: found.name })}
      </Button>
    )
  )
}
