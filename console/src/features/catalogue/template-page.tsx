import { Alert, Card, Group, Stack, Switch, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, PermissionCode, RoleTemplate } from '@tenantry/client'
import { useState } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MissingResource } from '../../components/missing-resource.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { PermissionGroups } from '../roles/permission-groups.views.tsx'
import { useLacking } from '../roles/roles.queries.ts'
import { DraftBar } from '../roles/roles.views.tsx'
import {
  type Catalogue,
  changeOf,
  holdableOf,
  holds,
  type TemplateDraft,
  useCatalogue,
} from './catalogue.queries.ts'
import { TemplateMarks } from './template-table.tsx'

const ReviewTemplate = lazyPart(async () => (await import('./review-template.tsx')).ReviewTemplate)

const route = getRouteApi('/shell/catalogue/$templateId')

const loadDialogs = () => import('./catalogue-dialogs.tsx')
const EditTemplate = lazyPart(async () => (await loadDialogs()).EditTemplate)
const DeleteTemplate = lazyPart(async () => (await loadDialogs()).DeleteTemplate)
const GiveToNewUsers = lazyPart(async () => (await loadDialogs()).GiveToNewUsers)

export const TemplatePage = () => {
  const { t } = useTranslation()
  const catalogue = useCatalogue()
  return (
    <>
      <BackLink to="/catalogue" search={{ tab: 'templates' }}>
        {t('catalogue.templates')}
      </BackLink>
      <Loaded query={catalogue} height={320}>
        {(data) => <FoundTemplate catalogue={data} />}
      </Loaded>
    </>
  )
}

const FoundTemplate = ({ catalogue }: { catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const id = Number(route.useParams().templateId)
  const template = catalogue.templates.find((one) => one.id === id)
  if (template) return <TemplateDetails template={template} catalogue={catalogue} />
  return <MissingResource to="/catalogue" search={{ tab: 'templates' }} name={t('places.template')} />
}

const TemplateDetails = ({ template, catalogue }: { template: RoleTemplate; catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const lacking = useLacking()([template])
  const canChange = !template.is_builtin && lacking.length === 0
  return (
    <>
      <PageHeader
        title={template.name}
        description={template.description}
        marks={<TemplateMarks template={template} />}
        actions={canChange && <TemplateActions template={template} />}
      />
      <Stack>
        {!template.is_builtin && lacking.length > 0 && (
          <Alert color="yellow" title={t('catalogue.outranks')}>
            {lacking.join(', ')}
          </Alert>
        )}
        {!template.is_builtin && <NewUsers template={template} canChange={canChange} />}
        <TemplatePermissions template={template} catalogue={catalogue} canChange={canChange} />
      </Stack>
    </>
  )
}

const TemplateActions = ({ template }: { template: RoleTemplate }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const toTemplates = () => navigate({ to: '/catalogue', search: { tab: 'templates' }, ignoreBlocker: true })
  return (
    <>
      <MoreMenu
        actions={[
          {
            label: t('catalogue.delete'),
            icon: IconTrash,
            isDeletion: true,
            renderWindow: (onClose) => (
              <DeleteTemplate template={template} onClose={onClose} onDeleted={toTemplates} />
            ),
          },
        ]}
      />
      <DialogButton variant="default" label={t('catalogue.edit')}>
        {(onClose) => <EditTemplate template={template} onClose={onClose} />}
      </DialogButton>
    </>
  )
}

const NewUsers = ({ template, canChange }: { template: RoleTemplate; canChange: boolean }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <Card withBorder padding="lg">
      <Switch
        label={t('catalogue.given')}
        description={t('catalogue.givenText')}
        checked={template.given_to_new_users}
        disabled={!canChange}
        onChange={() => setAsked(true)}
      />
      {isAsked && <GiveToNewUsers template={template} onClose={() => setAsked(false)} />}
    </Card>
  )
}

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

const TemplatePermissions = ({ template, catalogue, canChange }: TemplatePermissionsProps) => {
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
            {t('roles.permissions', {
              count: template.permissions.length + change.added.length - change.removed.length,
            })}
          </Title>
          <AddressSearch label={t('roles.search')} />
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
