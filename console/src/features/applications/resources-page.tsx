import { Button, Code, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Resource } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import type { Column } from '../../components/table-model.ts'
import { useMe } from '../../session/me.ts'
import { useResources } from './applications.queries.ts'
import { useDialogs } from '../../components/use-dialogs.ts'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { momentColumn } from '../../components/cells.tsx'

const loadDialogs = () => import('./resource-dialogs.tsx')
const ResourceDialog = lazyPart(async () => (await loadDialogs()).ResourceDialog)
const DeleteResource = lazyPart(async () => (await loadDialogs()).DeleteResource)

const dialogs = { edit: ResourceDialog, delete: DeleteResource }

const route = getRouteApi('/shell/resources')

type Ask = (kind: keyof typeof dialogs, asked: { resource: Resource }) => void

const useColumns = (ask: Ask | undefined): Column<Resource>[] => {
  const { t } = useTranslation()
  const actions: Column<Resource> = {
    key: 'actions',
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (resource) =>
      !resource.is_built_in && <Actions resource={resource} ask={(...asked) => ask?.(...asked)} />,
  }
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      cell: ({ name }) => (
        <Text size="sm" fw={500} className="cut" title={name}>
          {name}
        </Text>
      ),
    },
    {
      key: 'identifier',
      header: t('applications.identifier'),
      cell: ({ identifier }) => <Code className="whole">{identifier}</Code>,
    },
    {
      key: 'permissions',
      width: 8,
      header: t('applications.permissions'),
      cell: ({ permission_ids: { length } }) => length,
    },
    {
      key: 'unregistered',
      width: 9,
      header: t('applications.assistants'),
      cell: ({ allow_unregistered: isOpen }) => t(isOpen ? 'applications.yes' : 'applications.no'),
    },
    momentColumn('created', t('applications.createdAt'), ({ created_at: at }) => at),
    ...(ask ? [actions] : []),
  ]
}

const Actions = ({ resource, ask }: { resource: Resource; ask: Ask }) => {
  const { t } = useTranslation()
  const { name } = resource
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('applications.editResource', { name })}
        onClick={() => ask('edit', { resource })}
      >
        {t('applications.edit')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('applications.deleteOne', { name })}
        onClick={() => ask('delete', { resource })}
      >
        {t('applications.delete')}
      </Button>
    </Group>
  )
}

export const ResourcesPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const { can } = useMe()
  const canChange = can('application:manage') && can('tenant:enter')
  const resources = useResources(search)
  const { open, opened } = useDialogs<keyof typeof dialogs, { resource: Resource }>(dialogs)
  const create = useDialogButton(t('applications.createResource'), (onClose) => (
    <ResourceDialog onClose={onClose} />
  ))
  const action = canChange && create.button
  const { isVacant, inHeader } = placeAction(resources, false, action)
  return (
    <>
      <PageHeader
        title={t('places.resources')}
        description={t('applications.resourcesAbout')}
        actions={inHeader}
      />
      <DataTable
        label={t('places.resources')}
        name="resources"
        columns={useColumns(canChange ? open : undefined)}
        rows={resources}
        news={useNews(['resource'], resources)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        empty={{
          title: t('applications.noResources'),
          description: t('applications.noResourcesText'),
          action,
        }}
        isVacant={isVacant}
      />
      {create.opened}
      {opened}
    </>
  )
}
