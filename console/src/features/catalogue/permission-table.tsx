import { ActionIcon, Code, EmptyState, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDots, IconListSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission } from '@tenantry/client'
import { Fragment, useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { isOfProduct, modulesOf, useModuleName } from '../roles/roles.texts.ts'
import { type Catalogue, holdableOf } from './catalogue.queries.ts'
import { Mark } from './template-table.tsx'

const route = getRouteApi('/shell/catalogue')

const dialogs = {
  edit: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).EditPermission),
  delete: lazyPart(async () => (await import('./catalogue-dialogs.tsx')).DeletePermission),
}

const PermissionMenu = lazyPopup('menu', async () => (await import('./permission-menu.tsx')).PermissionMenu)

interface DialogRequest {
  kind: keyof typeof dialogs
  permission: Permission
}

const OpenedDialog = ({
  asked: { kind, permission },
  onClose,
}: {
  asked: DialogRequest
  onClose: () => void
}) => {
  const Dialog = dialogs[kind]
  return <Dialog permission={permission} onClose={onClose} />
}

export const PermissionTable = ({ catalogue }: { catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const { search } = route.useSearch()
  const [asked, setAsked] = useState<DialogRequest>()
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
          <NoneFound />
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
                      onAsk={(kind) => setAsked({ kind, permission })}
                    />
                  ))}
                </Fragment>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Paper>
      {asked && <OpenedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const NoneFound = () => {
  const { t } = useTranslation()
  return (
    <EmptyState
      py="xl"
      icon={<IconListSearch size={32} stroke={1.5} />}
      title={t('roles.noPermission')}
      description={t('roles.noPermissionText')}
    />
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
  onAsk: (kind: DialogRequest['kind']) => void
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
