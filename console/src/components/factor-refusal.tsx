import { Alert, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery, useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { ToProfile } from './error-panel.tsx'

/** Reads the session again whenever the page gets the focus, because the person may add the factor in another tab. */
const useFreshSession = (): void => void useQuery({ ...meQuery, staleTime: 0 })

const FactorRefusal = ({ text }: { text: string | undefined }) => {
  const { t } = useTranslation()
  useFreshSession()
  return (
    <Alert color="yellow" icon={<IconLock />} title={t('common.needsFactor')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{text ?? t('common.factorText')}</Text>
        <ToProfile />
      </Stack>
    </Alert>
  )
}

interface RefusalOptions {
  /** False for a change that needs no second factor. */
  isNeeded?: boolean
  /** Replaces the usual explanation. */
  text?: string
}

/**
 * The refusal that a change would get in this session, for the place above its form. Undefined in a session with a
 * second factor.
 */
export const useFactorRefusal = ({ isNeeded = true, text }: RefusalOptions = {}): ReactNode => {
  const { hasFactor } = useMe()
  if (!isNeeded || hasFactor) return undefined
  return <FactorRefusal text={text} />
}
