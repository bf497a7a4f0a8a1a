import { ActionIcon, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { isOfProduct, modulesOf, useModuleName } from '../roles/roles.texts.ts'
import { GroupName, NoPermissionFound } from '../roles/permission-groups.views.tsx'
import { type Catalogue, holdableOf } from './catalogue.queries.ts'
import { Mark } from './template-table.tsx'
import { useDialogs } from '../../components/use-dialogs.ts'

const route = getRouteApi('/shell/catalogue')

const dialogs = {
  edit: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).EditPermission),
  delete: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).DeletePermission),
}

const EditMenu = lazyPopup('menu', async () => (await import('../../components/edit-menu.tsx')).EditMenu)

/** The most permissions of the product with which its groups are open at first. Those of the service are folded. */
const shownAtOnce = 50

export const PermissionTable = ({ catalogue }: { catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const { search } = route.useSearch()
  const { open, opened } = useDialogs<keyof typeof dialogs, { permission: Permission }>(dialogs)
  const { permissions } = catalogue
  return (
    <>
      <Group mb="sm">
        <AddressSearch label={t('roles.search')} />
      </Group>
      {!permissions.some(isOfProduct) && (
        <Text size="sm" c="dimmed" mb="sm">
          {t('catalogue.noneOwn')}
        </Text>
      )}
      <Paper withBorder>
        {modulesOf(permissions, search).size === 0 ? (
          <NoPermissionFound />
        ) : (
          // The key opens and folds the groups anew when a search begins or ends.
          <Table
            className="data-table"
            aria-label={t('catalogue.permissions')}
            key={String(search === undefined)}
          >
            <Modules
              catalogue={catalogue}
              search={search}
              onAsk={(kind, permission) => open(kind, { permission })}
            />
          </Table>
        )}
      </Paper>
      {opened}
    </>
  )
}

interface ModulesProps {
  catalogue: Catalogue
  search: string | undefined
  onAsk: (kind: keyof typeof dialogs, permission: Permission) => void
}

const Modules = ({ catalogue, search, onAsk }: ModulesProps) => {
  const { permissions } = catalogue
  const holdable = holdableOf(catalogue)
  const isShort = permissions.filter(isOfProduct).length <= shownAtOnce
  return [...modulesOf(permissions, search)].map(([module, of]) => (
    <Module
      key={module}
      module={module}
      permissions={of}
      isOpenAtFirst={search !== undefined || (isShort && of.some(isOfProduct))}
    >
      {(permission) => (
        <PermissionRow
          key={permission.id}
          permission={permission}
          isPlatformOnly={!holdable.has(permission.code)}
          onAsk={(kind) => onAsk(kind, permission)}
        />
      )}
    </Module>
  ))
}

interface ModuleProps {
  module: string
  permissions: Permission[]
  isOpenAtFirst: boolean
  children: (permission: Permission) => ReactNode
}

const Module = ({ module, permissions, isOpenAtFirst, children }: ModuleProps) => {
  const { t } = useTranslation()
  const nameOfModule = useModuleName()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <Table.Tbody>
      <Table.Tr className="group-row">
        <Table.Th colSpan={2} scope="rowgroup">
          <GroupName isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
            {nameOfModule(module)}
            <Text span size="xs" c="dimmed" fw={400} className="numbers">
              {t('roles.permissions', { count: permissions.length })}
            </Text>
            {!permissions.some(isOfProduct) && <Mark>{t('catalogue.builtIn')}</Mark>}
          </GroupName>
        </Table.Th>
      </Table.Tr>
      {isOpen && permissions.map(children)}
    </Table.Tbody>
  )
}

interface PermissionRowProps {
  permission: Permission
  isPlatformOnly: boolean
  onAsk: (kind: keyof typeof dialogs) => void
}

const PermissionRow = ({ permission, isPlatformOnly, onAsk }: PermissionRowProps) => {
  const { t } = useTranslation()
  const { name, code, description } = permission
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <Group gap="xs">
            <Text size="sm" fw={500} className="breakable">
              {name}
            </Text>
            <Code className="whole">{code}</Code>
            {isPlatformOnly && (
              <Mark title={t('catalogue.platformOnlyText')}>{t('catalogue.platformOnly')}</Mark>
            )}
          </Group>
          {description !== '' && (
            <Text size="sm" c="dimmed" className="breakable">
              {description}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td w={60} ta="end">
        {isOfProduct(permission) && (
          <EditMenu edit={t('catalogue.edit')} remove={t('catalogue.delete')} onAsk={onAsk}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('table.actionsOf', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </EditMenu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
