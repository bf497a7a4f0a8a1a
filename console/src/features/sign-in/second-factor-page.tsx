import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { queryClient } from '../../query-client.ts'
import { client, signOut } from '../../session/client.ts'
import { meQuery } from '../../session/me.ts'
import { useFactors } from '../factors/factors.queries.ts'
import { OwnFactors } from '../factors/factors.views.tsx'
import { EntryFrame } from './entry-frame.tsx'

const route = getRouteApi('/second-factor')

/** Reads the caller, as the frame of the console does, and goes on where the restriction stopped them. */
const useGoOn = () => {
  const navigate = useNavigate()
  const { next = '/' } = route.useSearch()
  return useMutation({
    mutationFn: async () => {
      // The access token of a restricted session stays restricted.
      await client.auth.refresh()
      await queryClient.query({ ...meQuery, staleTime: 0 })
      await navigate({ to: '/', href: next })
    },
  })
}

export const SecondFactorPage = () => {
  const { t } = useTranslation()
  const hasFactor = (useFactors().data?.factors.length ?? 0) > 0
  const going = useGoOn()
  return (
    <EntryFrame title={t('signIn.secondFactor')}>
      <Stack>
        <Text size="sm">{t('factors.requiredText')}</Text>
        <OwnFactors />
        {going.error && <ErrorPanel error={going.error} />}
        {hasFactor && (
          <Button loading={going.isPending} onClick={() => going.mutate()}>
            {t('factors.goOn')}
          </Button>
        )}
        <Button variant="subtle" onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Button>
      </Stack>
    </EntryFrame>
  )
}
