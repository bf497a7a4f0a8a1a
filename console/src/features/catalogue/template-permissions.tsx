import { Card, Group, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, PermissionCode, RoleTemplate } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { useMe } from '../../session/me.ts'
import { DraftBar, PermissionGroups } from '../roles/roles.views.tsx'
import type { Catalogue } from './catalogue.queries.ts'
import { changeOf, holdableOf, holds, type TemplateDraft } from './entries.ts'

const route = getRouteApi('/shell/catalogue/$templateId')

const ReviewTemplate = lazyPart(async () => (await import('./review-template.tsx')).ReviewTemplate)

const none: TemplateDraft = new Map()

interface TemplatePermissionsProps {
  template: RoleTemplate
  catalogue: Catalogue
  canChange: boolean
}

/** Why the caller cannot put a permission into a template. */
const useReason = (catalogue: Catalogue) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const holdable = holdableOf(catalogue)
  return ({ code }: Permission): string | undefined => {
    if (!holdable.has(code)) return t('catalogue.platformOnlyText')
    return can(code as PermissionCode) ? undefined : t('roles.notOwn')
  }
}

export const TemplatePermissions = ({ template, catalogue, canChange }: TemplatePermissionsProps) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const reasonOf = useReason(catalogue)
  const [draft, setDraft] = useState(none)
  const change = changeOf(template, catalogue.permissions, draft)
  const choosing = {
    draftedOf: (permission: Permission) => {
      const isWanted = draft.get(permission.id)
      return isWanted === holds(template, permission) ? undefined : isWanted
    },
    reasonOf,
    onChoose: (permissions: Permission[], isWanted: boolean) =>
      setDraft((before) => new Map([...before, ...permissions.map(({ id }) => [id, isWanted] as const)])),
  }
  const discard = (): void => setDraft(none)
  return (
    <>
      <Card withBorder padding="lg">
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h4">
            {t('roles.permissions', { count: template.permissions.length })}
          </Title>
          <Search />
        </Group>
        <PermissionGroups
          permissions={canChange ? catalogue.permissions : template.permissions}
          search={search}
          isHeld={(permission) => holds(template, permission)}
          choosing={canChange ? choosing : undefined}
        />
      </Card>
      <DraftBar count={change.added.length + change.removed.length} onDiscard={discard}>
        {(onClose) => (
          <ReviewTemplate template={template} change={change} onSaved={discard} onClose={onClose} />
        )}
      </DraftBar>
    </>
  )
}

const Search = () => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SearchInput
      label={t('roles.search')}
      value={search}
      onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
    />
  )
}
