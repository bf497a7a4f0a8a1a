import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountPages } from '../session/account-pages.ts'
import { meQuery, useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { ToProfile } from './error-panel.tsx'

/** Reads the session again whenever the page gets the focus, because the person may add the factor in another tab. */
const useFreshSession = (): void => void useQuery({ ...meQuery, staleTime: 0 })

const FactorRefusal = () => {
  const { t } = useTranslation()
  useFreshSession()
  return (
    <Alert color="yellow" icon={<IconLock />} title={t('common.needsFactor')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('common.factorText')}</Text>
        <ToProfile />
      </Stack>
    </Alert>
  )
}

/** One line, for a page of several such forms. */
const FactorLine = () => {
  const { t } = useTranslation()
  useFreshSession()
  return (
    <Group gap="xs">
      <IconLock size={16} stroke={1.5} />
      <Text size="sm">{t('common.needsFactor')}</Text>
      <Anchor href={accountPages.signIn} size="sm" underline="always">
        {t('common.toFactors')}
      </Anchor>
    </Group>
  )
}

interface RefusalOptions {
  /** False for a change that needs no second factor. */
  isNeeded?: boolean
  isLine?: boolean
}

/**
 * The refusal that a change would get in this session, for the place above its form. Undefined in a session with a
 * second factor.
 */
export const useFactorRefusal = ({ isNeeded = true, isLine = false }: RefusalOptions = {}): ReactNode => {
  const { hasFactor } = useMe()
  if (!isNeeded || hasFactor) return undefined
  return isLine ? <FactorLine /> : <FactorRefusal />
}
