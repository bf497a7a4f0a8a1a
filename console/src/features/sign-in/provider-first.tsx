import { Anchor, Button, Stack } from '@mantine/core'
import { startOf, type FoundConnection } from '../../hosted/discover.ts'
import { useTranslation } from '../../translation.ts'

interface ProviderFirstProps {
  found: FoundConnection
  email: string
  onLeave: () => void
  onPassword: () => void
}

/** The way to the provider of the organization, with the password behind it. */
export const ProviderFirst = ({ found, email, onLeave, onPassword }: ProviderFirstProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <Button
        component="a"
        href={startOf({ found, email })}
        fullWidth
        autoFocus
        className="wraps"
        onClick={onLeave}
      >
        {t('signIn.provider', { tenant: found.tenant.name, name: found.name })}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" underline="always" onClick={onPassword}>
        {t('signIn.usePassword')}
      </Anchor>
    </Stack>
  )
}
