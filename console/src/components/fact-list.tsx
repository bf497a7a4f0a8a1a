import { DataList } from '@mantine/core'

/** Names and values. A value that is undefined is left out. */
export const FactList = ({ facts }: { facts: [name: string, value: string | undefined][] }) => (
  <DataList>
    {facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
  </DataList>
)
