import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { RoleTemplate } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { mutationProps } from '../../components/confirm-modal.tsx'
import { NamedForm } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useRenewCatalogue } from './catalogue.queries.ts'
import { OtherTenants } from './tenant-effect.tsx'

interface CreateTemplateProps {
  onCreated: (template: RoleTemplate) => Promise<void>
  onClose: () => void
}

export const CreateTemplate = ({ onCreated, onClose }: CreateTemplateProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  return (
    <NamedForm
      title={t('catalogue.createTemplate')}
      submit={t('catalogue.createTemplate')}
      onClose={onClose}
      send={async (values) => {
        const template = await client.roleTemplates.create(values)
        await renew()
        onClose()
        await onCreated(template)
        notify(t('catalogue.templateCreated', { name: template.name }))
      }}
    />
  )
}

interface DialogProps {
  template: RoleTemplate
  onClose: () => void
}

export const EditTemplate = ({ template, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  return (
    <NamedForm
      title={t('catalogue.editTemplate')}
      submit={t('common.save')}
      initial={template}
      onClose={onClose}
      send={async (values) => {
        await client.roleTemplates.update(template.id, values)
        await renew()
        onClose()
        notify(t('catalogue.saved', { name: values.name }))
      }}
    />
  )
}

/** Decides whether new users get the template. Existing users do not change, so no effect is counted. */
export const GiveToNewUsers = ({ template, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  const { id, name, permissions, given_to_new_users: isGiven } = template
  const switching = useMutation({
    mutationFn: () => client.roleTemplates.update(id, { given_to_new_users: !isGiven }),
    onSuccess: async () => {
      await renew()
      onClose()
      notify(t('catalogue.saved', { name }))
    },
  })
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: id }]}
      onClose={onClose}
      title={t(isGiven ? 'catalogue.stopGivingTitle' : 'catalogue.giveTitle', { name })}
      confirm={t(isGiven ? 'catalogue.stopGiving' : 'catalogue.give')}
      {...mutationProps(switching)}
    >
      {isGiven
        ? t('catalogue.stopGivingText')
        : t('catalogue.giveText', { permissions: t('roles.permissions', { count: permissions.length }) })}
    </ConfirmChanges>
  )
}

interface DeleteTemplateProps extends DialogProps {
  onDeleted: () => Promise<void>
}

export const DeleteTemplate = ({ template: { id, name }, onClose, onDeleted }: DeleteTemplateProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  const deleting = useMutation({
    mutationFn: () => client.roleTemplates.delete(id),
    onSuccess: async () => {
      await onDeleted()
      notify(t('catalogue.templateDeleted', { name }))
      await renew()
    },
  })
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: id }]}
      onClose={onClose}
      title={t('catalogue.deleteTemplate', { name })}
      confirm={t('catalogue.delete')}
      word={name}
      {...mutationProps(deleting)}
    >
      <Stack gap="sm">
        <Text size="sm">{t('catalogue.deleteTemplateText')}</Text>
        <OtherTenants />
      </Stack>
    </ConfirmChanges>
  )
}
