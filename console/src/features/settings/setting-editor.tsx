import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { JsonEditor } from './json-editor.tsx'
import { readJson, valueBytesMax } from './json-text.ts'
import { hasForm } from './known-settings.ts'
import { useCanWrite, useDeleteSetting, usePutSetting, type SettingScope } from './settings.queries.ts'

interface SettingEditorProps {
  scope: SettingScope
  /** Undefined for a new setting. */
  setting: Setting | undefined
  taken: string[]
  onClose: () => void
}

/** An editor for a setting, or a view of it for callers without `setting:update`. */
export const SettingEditor = (props: SettingEditorProps) => {
  const { setting, scope, onClose } = props
  const canWrite = useCanWrite(scope)
  if (!setting || canWrite) return <EditorDialog {...props} />
  return (
    <Dialog opened onClose={onClose} size="lg" title={setting.key}>
      <Shown scope={scope} setting={setting} onClose={onClose} />
    </Dialog>
  )
}

/** A view for callers who may not change the setting, but perhaps delete it. */
const Shown = ({ scope, setting, onClose }: Omit<SettingEditorProps, 'taken'> & { setting: Setting }) => {
  const { t } = useTranslation()
  return (
    <Stack>
      <JsonView value={setting.value} label={t('settings.value')} />
      <Group justify="flex-end">
        <DeleteButton scope={scope} settingKey={setting.key} onDone={onClose} />
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}

const EditorDialog = (props: SettingEditorProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { scope, setting, onClose } = props
  const draft = useDraft(props)
  const put = usePutSetting(scope, ({ key }) => {
    notify(t('settings.saved', { key }))
    onClose()
  })
  return (
    <FormDialog
      isDirty={draft.isDirty}
      onClose={onClose}
      size="lg"
      title={setting?.key ?? t('settings.create')}
      isPending={put.isPending}
    >
      <EditorForm {...props} draft={draft} put={put} />
    </FormDialog>
  )
}

/** docs/contract.md, "Settings". */
const keyPattern = /^[A-Za-z0-9._:-]{1,128}$/

const useKeyFault = (scope: SettingScope, taken: string[]) => {
  const { t } = useTranslation()
  return (key: string): string | undefined => {
    if (!keyPattern.test(key)) return t('settings.keyInvalid')
    if (hasForm(scope, key)) return t('settings.keyForm')
    return taken.includes(key) ? t('settings.keyTaken') : undefined
  }
}

const textsOf = (setting: Setting | undefined) =>
  setting ? { key: setting.key, text: JSON.stringify(setting.value, undefined, 2) } : { key: '', text: '{}' }

const useDraft = ({ scope, setting, taken }: Omit<SettingEditorProps, 'onClose'>) => {
  const [initial] = useState(() => textsOf(setting))
  const [key, setKey] = useState(initial.key)
  const [text, setText] = useState(initial.text)
  const faultOf = useKeyFault(scope, taken)
  const fault = setting ? undefined : faultOf(key)
  const read = readJson(text)
  const isSavable = 'value' in read && read.bytes <= valueBytesMax && fault === undefined
  return {
    key,
    setKey,
    fault,
    text,
    setText,
    read,
    isDirty: key !== initial.key || text !== initial.text,
    savable: isSavable ? { key, value: read.value } : undefined,
  }
}

interface EditorFormProps extends SettingEditorProps {
  draft: ReturnType<typeof useDraft>
  put: ReturnType<typeof usePutSetting>
}

const EditorForm = ({ scope, setting, draft, put, onClose }: EditorFormProps) => {
  const { t } = useTranslation()
  const { key, setKey, fault, text, setText, read, savable } = draft
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (savable) put.mutate(savable)
      }}
    >
      <Stack>
        {put.error && <ErrorPanel error={put.error} />}
        {!setting && (
          <TextInput
            label={t('settings.key')}
            description={t('settings.keyHint')}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            error={key === '' ? undefined : fault}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        <JsonEditor text={text} read={read} onChange={setText} />
        <Group justify="flex-end">
          {setting && <DeleteButton scope={scope} settingKey={setting.key} onDone={onClose} />}
          <Button variant="default" disabled={put.isPending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={put.isPending} disabled={!savable}>
            {t(setting ? 'common.save' : 'settings.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface DeleteButtonProps {
  scope: SettingScope
  settingKey: string
  onDone: () => void
}

const DeleteButton = ({ scope, settingKey, onDone }: DeleteButtonProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { can } = useMe()
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteSetting(scope, () => {
    notify(t('settings.deleted', { key: settingKey }))
    onDone()
  })
  if (!can(scope === 'global' ? 'setting:global' : 'setting:delete')) return null
  return (
    <>
      <Button variant="subtle" color="red" c="var(--text-bad)" mr="auto" onClick={() => setAsking(true)}>
        {t('settings.delete')}
      </Button>
      <ConfirmModal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('settings.deleteTitle', { key: settingKey })}
        confirm={t('settings.delete')}
        onConfirm={() => remove.mutate(settingKey)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <Text span size="sm" className="whole">
          {t(scope === 'global' ? 'settingTexts.deleteGlobal' : 'settings.deleteText')}
        </Text>
      </ConfirmModal>
    </>
  )
}
