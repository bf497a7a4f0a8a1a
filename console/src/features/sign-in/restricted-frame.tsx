import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { queryClient } from '../../query-client.ts'
import { client, signOut } from '../../session/client.ts'
import { meQuery } from '../../session/me.ts'
import { EntryFrame } from './entry-frame.tsx'

/** Reads the caller, as the frame of the console does, and goes on where the restriction stopped them. */
const useGoOn = (next: string) => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => {
      // The access token of a restricted session stays restricted.
      await client.auth.refresh()
      await queryClient.query({ ...meQuery, staleTime: 0 })
      await navigate({ to: '/', href: next })
    },
  })
}

interface RestrictedFrameProps {
  title: string
  text: string
  /** The path to continue at. */
  next: string
  canGoOn: boolean
  /** The ways to lift the restriction. */
  children: ReactNode
}

/** Stands in place of the console while the session is restricted. */
export const RestrictedFrame = ({ title, text, next, canGoOn, children }: RestrictedFrameProps) => {
  const { t } = useTranslation()
  const going = useGoOn(next)
  return (
    <EntryFrame title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        {children}
        {going.error && <ErrorPanel error={going.error} />}
        {canGoOn && (
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
