import { Button, EmptyState, Title } from '@mantine/core'
import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import { useWindowTitle } from './window-title.ts'

export const NotFound = () => {
  const { t } = useTranslation()
  useWindowTitle(t('common.notFound'))
  return (
    <EmptyState
      py={96}
      icon={<IconMapQuestion size={40} stroke={1.5} />}
      title={
        <Title order={1} size="h3">
          {t('common.notFound')}
        </Title>
      }
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
