import { Box, Group, Text } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useAuditTexts } from '../audit/audit.texts.ts'

const countByResource = (records: AuditLog[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { resource } of records) counts.set(resource, (counts.get(resource) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

export const ResourceBars = ({ records }: { records: AuditLog[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { ofResource } = useAuditTexts()
  const counts = countByResource(records)
  const [, most] = counts[0] ?? ['', 1]
  return (
    <Table isPlain className="fixed bars" aria-label={t('dashboard.byResource')}>
      <Table.Tbody>
        {counts.map(([resource, count]) => (
          <Table.Tr key={resource} pos="relative">
            <Table.Th scope="row" w={112} fw={400}>
              <TextLink to="/audit" search={{ resource }} size="sm" className="row-link" c="dimmed">
                {ofResource(resource)}
              </TextLink>
            </Table.Th>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Box className="bar" w={`calc((100% - 3.5rem) * ${count / most})`} />
                <Text size="sm" className="numbers">
                  {format.count(count)}
                </Text>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
