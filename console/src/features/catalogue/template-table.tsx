import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import type { RoleTemplate } from '@tenantry/client'
import { Table } from '../../components/table.tsx'
import { RowLink } from '../../components/text-link.tsx'
import { useTranslation } from '../../translation.ts'

export const TemplateTable = ({ templates }: { templates: RoleTemplate[] }) => {
  const { t } = useTranslation()
  // Templates of the product come first, as its permissions do.
  const sorted = templates.toSorted((one, other) => Number(one.is_builtin) - Number(other.is_builtin))
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('catalogue.templatesText')}
      </Text>
      <Paper withBorder>
        <Table className="data-table" aria-label={t('catalogue.templates')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('fields.name')}</Table.Th>
              <Table.Th ta="end">{t('catalogue.permissions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.map((template) => (
              <TemplateRow key={template.id} template={template} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </>
  )
}

const TemplateRow = ({ template }: { template: RoleTemplate }) => {
  const { id, name, description, permissions } = template
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <Group gap="xs">
            <RowLink to="/catalogue/$templateId" params={{ templateId: String(id) }}>
              {name}
            </RowLink>
            <TemplateMarks template={template} />
          </Group>
          {description !== '' && (
            <Text size="sm" c="dimmed" className="breakable">
              {description}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td className="numbers" ta="end" w={110}>
        {permissions.length}
      </Table.Td>
    </Table.Tr>
  )
}

export const TemplateMarks = ({ template }: { template: RoleTemplate }) => {
  const { t } = useTranslation()
  return (
    <>
      {template.is_builtin && <Mark>{t('catalogue.builtIn')}</Mark>}
      {template.given_to_new_users && <Mark>{t('catalogue.given')}</Mark>}
    </>
  )
}

export const Mark = ({ children, title }: { children: string; title?: string }) => (
  <Badge size="sm" variant="default" tt="none" fw={500} title={title}>
    {children}
  </Badge>
)
