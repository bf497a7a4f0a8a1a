import { Button, Checkbox, Group, Paper, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, Role } from '@tenantry/client'
import { useState } from 'react'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { useTranslation } from '../../translation.ts'
import type { RoleDraft, SetCells } from './role-draft.ts'
import { RoleMatrix } from './role-matrix.tsx'
import { useCountedRoles } from './roles.queries.ts'
import { modulesOf } from './roles.texts.ts'
import { NoPermissionFound } from './permission-groups.views.tsx'

const route = getRouteApi('/shell/roles')

/** The most columns at first, because users cannot read more at a glance. The user can choose others. */
const shownAtFirst = 10

/** The roles that the URL names, in the order of the list. */
const useShown = (roles: Role[]): Role[] => {
  const { shown } = route.useSearch()
  return shown ? roles.filter(({ id }) => shown.includes(id)) : roles.slice(0, shownAtFirst)
}

interface CompareRolesProps {
  roles: Role[]
  permissions: Permission[]
  draft: RoleDraft
  setCells: SetCells
}

export const CompareRoles = ({ roles, permissions, ...drafting }: CompareRolesProps) => {
  const { search = '' } = route.useSearch()
  const shown = useShown(roles)
  return (
    <>
      <Toolbar roles={roles} shown={shown} />
      {modulesOf(permissions, search).size === 0 ? (
        <Paper withBorder>
          <NoPermissionFound />
        </Paper>
      ) : (
        <RoleMatrix roles={shown} permissions={permissions} search={search} {...drafting} />
      )}
    </>
  )
}

const Toolbar = ({ roles, shown }: { roles: Role[]; shown: Role[] }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <Group mb="sm" gap="sm">
      <AddressSearch label={t('roles.search')} />
      <Group ml="auto" gap="sm">
        <ListNews news={useNews(['role'], useCountedRoles())} />
        <RolePicker
          roles={roles}
          shown={shown}
          onChange={(ids) =>
            void navigate({ search: (others) => ({ ...others, shown: ids }), replace: true })
          }
        />
      </Group>
    </Group>
  )
}

interface RolePickerProps {
  roles: Role[]
  shown: Role[]
  onChange: (ids: number[]) => void
}

const RolePicker = ({ roles, shown, onChange }: RolePickerProps) => {
  const { t } = useTranslation()
  return (
    <Popover position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          {t('roles.shown', { shown: shown.length, count: roles.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <RoleChoice roles={roles} shown={shown} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

const RoleChoice = ({ roles, shown, onChange }: RolePickerProps) => {
  const { t } = useTranslation()
  const [sought, setSought] = useState('')
  const found = roles.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase()))
  const chosen = new Set(shown.map(({ id }) => id))
  const choose = (ids: number[], isChosen: boolean): void => {
    const others = [...chosen].filter((id) => !ids.includes(id))
    onChange(isChosen ? [...others, ...ids] : others)
  }
  const foundIds = found.map(({ id }) => id)
  const isAll = found.length > 0 && foundIds.every((id) => chosen.has(id))
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={t('roles.searchRoles')}
        placeholder={t('roles.searchRoles')}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('roles.noneFound')}
        </Text>
      ) : (
        <>
          <Checkbox
            label={t('roles.all', { count: found.length })}
            checked={isAll}
            indeterminate={!isAll && foundIds.some((id) => chosen.has(id))}
            onChange={() => choose(foundIds, !isAll)}
          />
          <ScrollArea.Autosize mah={280} type="auto">
            <Stack gap="xs">
              {found.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                  checked={chosen.has(id)}
                  onChange={(event) => choose([id], event.currentTarget.checked)}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </>
      )}
    </Stack>
  )
}
