import { Button, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { isUnsure } from '../../components/error-text.ts'
import { useTranslation } from '../../translation.ts'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'

const route = getRouteApi('/sso')

/** Shown where a sign-in at a provider did not end in the console. */
export const ProviderPage = () => {
  const { t } = useTranslation()
  const { error } = route.useRouteContext()
  return (
    <EntryFrame title={t('signIn.providerFailed')}>
      <Stack>
        {isUnsure(error) ? (
          <ErrorPanel error={error} />
        ) : (
          <EntryMessage color="yellow">{t('signIn.providerFailedText')}</EntryMessage>
        )}
        <Button component={Link} to="/sign-in">
          {t('signIn.begin')}
        </Button>
      </Stack>
    </EntryFrame>
  )
}
