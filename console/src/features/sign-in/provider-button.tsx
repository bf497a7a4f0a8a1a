import { Button, type ButtonProps } from '@mantine/core'
import { startOf, type FoundConnection } from '../../hosted/discover.ts'
import { useTranslation } from '../../translation.ts'

export interface ProviderButtonProps extends ButtonProps {
  found: FoundConnection
  email: string
  autoFocus?: boolean
  target?: '_blank'
  onLeave?: (() => void) | undefined
}

/** Leads to the provider of the organization. */
export const ProviderButton = ({ found, email, onLeave, ...button }: ProviderButtonProps) => {
  const { t } = useTranslation()
  return (
    <Button
      component="a"
      href={startOf({ found, email })}
      rel="noreferrer"
      className="wraps"
      {...button}
      onClick={onLeave}
    >
      {t('signIn.provider', { tenant: found.tenant.name, name: found.name })}
    </Button>
  )
}
