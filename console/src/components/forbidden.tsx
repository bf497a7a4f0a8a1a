import { Button, EmptyState } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { PageHeader } from './page-header.tsx'

/** Replaces a forbidden page: names the missing permission, and the users who can grant it. */
export const Forbidden = ({ title, needs }: { title: string; needs: PermissionCode }) => {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        py="xl"
        icon={<IconLock size={32} stroke={1.5} />}
        title={t('common.refused')}
        description={t('common.needs', { needs })}
      >
        <EmptyState.Actions>
          <Button component={Link} to="/profile" variant="default">
            {t('common.seeRoles')}
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </>
  )
}
