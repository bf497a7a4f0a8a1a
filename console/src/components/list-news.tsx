import { Box, Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '../translation.ts'
import { heardChanges, rung, subscribe, type HeardChange } from '../session/live.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

export interface News {
  count: number
  show: () => void
}

interface Loaded {
  /** Milliseconds since 1970; 0 before the first answer. */
  dataUpdatedAt: number
  refetch: () => unknown
}

/** Records of these resources belong to the built-in tenant, also while another tenant is in scope. */
const ofInstallation = new Set(['tenant', 'permission', 'role_template', 'flag', 'provider'])

/**
 * Counts the changes of other users since the list was loaded: those of resources (`role`) or actions (`role.assign`)
 * in `names`. An empty `names` counts all changes. The list already contains records up to `lastId`.
 */
export const useNews = (names: string[], { dataUpdatedAt, refetch }: Loaded, lastId = 0): News => {
  const { tenantId } = useScope()
  const home = useMe().tenant.id
  const isHere = ({ tenant_id: id, resource }: HeardChange): boolean =>
    id === (ofInstallation.has(resource) ? home : tenantId) || resource === 'inbox'
  const isNamed = ({ resource, action }: HeardChange): boolean =>
    names.length === 0 ? action !== rung : names.includes(resource) || names.includes(action)
  const isNew = ({ at, id }: HeardChange): boolean => at > dataUpdatedAt && id > lastId
  const count = useSyncExternalStore(subscribe, () =>
    dataUpdatedAt === 0
      ? 0
      : heardChanges().filter((change) => isNew(change) && isNamed(change) && isHere(change)).length,
  )
  return { count, show: () => void refetch() }
}

/** Shows the number of changes, and loads the list again on a click. Until then the list stays the same. */
export const ListNews = ({ news: { count, show } }: { news: News }) => {
  const { t } = useTranslation()
  return (
    <Box role="status">
      {count > 0 && (
        <Button
          variant="light"
          leftSection={<IconArrowUp size={16} />}
          title={t('table.newsTitle')}
          onClick={show}
        >
          {t('table.news', { count })}
        </Button>
      )}
    </Box>
  )
}
