import { Anchor, Stack } from '@mantine/core'
import type { FoundConnection } from '../../hosted/discover.ts'
import { useTranslation } from '../../translation.ts'
import { ProviderButton } from './provider-button.tsx'

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
      <ProviderButton found={found} email={email} fullWidth autoFocus onLeave={onLeave} />
      <Anchor component="button" type="button" size="sm" ta="center" underline="always" onClick={onPassword}>
        {t('signIn.usePassword')}
      </Anchor>
    </Stack>
  )
}
