import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { RoleTemplate } from '@tenantry/client'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { ChangedPermissions } from '../roles/roles.views.tsx'
import { idsAfter, type TemplateChange } from './catalogue.queries.ts'
import { TenantEffect } from './catalogue-dialogs.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface ReviewTemplateProps {
  template: RoleTemplate
  change: TemplateChange
  onSaved: () => void
  onClose: () => void
}

/** Shows gains and losses before it saves the permissions of a template. */
export const ReviewTemplate = ({ template, change: present, onSaved, onClose }: ReviewTemplateProps) => {
  const { t } = useTranslation()
  // Keeps the change, because saving empties the draft.
  const [change] = useState(present)
  const saving = useSave(template, change, () => {
    onClose()
    onSaved()
  })
  const preview = usePreview(() => [
    { kind: 'replace_permissions', role_id: template.id, permission_ids: idsAfter(template, change) },
  ])
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('roles.reviewTitle')}
      size="lg"
      closeOnClickOutside={false}
      isPending={saving.isPending}
    >
      <Stack>
        <ChangedPermissions
          label={t('roles.added')}
          sign="+"
          color="var(--text-good)"
          permissions={change.added}
        />
        <ChangedPermissions
          label={t('roles.removed')}
          sign="−"
          color="var(--text-bad)"
          permissions={change.removed}
        />
        <Text size="sm">
          {t(template.given_to_new_users ? 'catalogue.everywhereAndNew' : 'catalogue.everywhere')}
        </Text>
        <TenantEffect preview={preview} />
        {saving.error && <ErrorPanel error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={saving.isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button loading={saving.isPending} disabled={!preview.isOpen} onClick={() => saving.mutate()}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const useSave = ({ id, name }: RoleTemplate, change: TemplateChange, onSaved: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  return useMutation({
    mutationFn: async () => {
      // The request replaces the whole set. It starts from the current set, because another user may have changed it
      // meanwhile.
      const templates = await client.roleTemplates.list()
      const now = templates.find((one) => one.id === id) ?? { permissions: [] }
      await client.roleTemplates.update(id, { permission_ids: idsAfter(now, change) })
    },
    onSuccess: async () => {
      await renew()
      onSaved()
      notify(t('catalogue.saved', { name }))
    },
  })
}
