import { Button, EmptyState } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useWindowTitle } from './window-title.ts'

export const NotFound = () => {
  const { t } = useTranslation()
  useWindowTitle(t('common.notFound'))
  return (
    <EmptyState
      py={96}
      icon={<IconMapQuestion size={40} stroke={1.5} />}
      title={t('common.notFound')}
      description={t('common.notFoundText')}
    >
      <EmptyState.Actions>
        <Button component={Link} to="/" variant="default">
          {t('common.home')}
        </Button>
      </EmptyState.Actions>
    </EmptyState>
  )
}
