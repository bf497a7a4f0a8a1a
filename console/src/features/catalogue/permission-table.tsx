import { ActionIcon, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission } from '@tenantry/client'
import { Fragment } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { isOfProduct, modulesOf, useModuleName } from '../roles/roles.texts.ts'
import { NoPermissionFound } from '../roles/permission-groups.views.tsx'
import { type Catalogue, holdableOf } from './catalogue.queries.ts'
import { Mark } from './template-table.tsx'
import { useDialogs } from '../../components/use-dialogs.ts'

const route = getRouteApi('/shell/catalogue')

const dialogs = {
  edit: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).EditPermission),
  delete: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).DeletePermission),
}

const PermissionMenu = lazyPopup('menu', async () => (await import('./permission-menu.tsx')).PermissionMenu)

export const PermissionTable = ({ catalogue }: { catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const { search } = route.useSearch()
  const { open, opened } = useDialogs<keyof typeof dialogs, { permission: Permission }>(dialogs)
  const { permissions } = catalogue
  const modules = modulesOf(permissions, search)
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
        {modules.size === 0 ? (
          <NoPermissionFound />
        ) : (
          <Table className="data-table" aria-label={t('catalogue.permissions')}>
            <Table.Tbody>
              {[...modules].map(([module, of]) => (
                <Fragment key={module}>
                  <ModuleRow module={module} isBuiltIn={!of.some(isOfProduct)} />
                  {of.map((permission) => (
                    <PermissionRow
                      key={permission.id}
                      permission={permission}
                      isPlatformOnly={!holdableOf(catalogue).has(permission.code)}
                      onAsk={(kind) => open(kind, { permission })}
                    />
                  ))}
                </Fragment>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Paper>
      {opened}
    </>
  )
}

const ModuleRow = ({ module, isBuiltIn }: { module: string; isBuiltIn: boolean }) => {
  const { t } = useTranslation()
  const nameOfModule = useModuleName()
  return (
    <Table.Tr className="group-row">
      <Table.Th colSpan={2} scope="rowgroup">
        <Group gap="xs">
          {nameOfModule(module)}
          {isBuiltIn && <Mark>{t('catalogue.builtIn')}</Mark>}
        </Group>
      </Table.Th>
    </Table.Tr>
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
          <PermissionMenu onAsk={onAsk}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('table.actionsOf', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </PermissionMenu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
