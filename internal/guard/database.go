package guard

import (
	"strings"

	"assent/internal/late"
)

// clients are the programs that send text to a database.
var clients = map[string]bool{
	"psql": true, "mysql": true, "mariadb": true, "sqlite3": true, "sqlite": true, "sqlcmd": true, "duckdb": true, "isql": true,
	"clickhouse-client": true, "clickhouse": true, "cockroach": true, "usql": true, "pgcli": true, "mycli": true, "litecli": true,
	"cqlsh": true, "sqlplus": true, "bq": true, "snowsql": true, "mongosh": true, "mongo": true, "redis-cli": true, "trino": true,
	"presto": true, "spark-sql": true, "beeline": true, "hive": true, "impala-shell": true, "turso": true, "d1": true, "bsqldb": true,
}

var (
	sqlRun     = late.Regexp(`(?s)/\*M?!\d*(.*?)\*/`)
	sqlComment = late.Regexp(`(?s)/\*.*?\*/|--[^\n]*|(?:^|[\s;])#[^\n]*`)
	sqlDrop    = late.Regexp(`(?i)\bdrop\s+(table|database|schema|view|materialized|index|column|user|role|keyspace|sequence|function|procedure|trigger|type|extension|tablespace|collection|owned|dictionary|event|external|temporary|if|foreign|constraint|partition|server|policy|publication|domain)\b`)
	sqlEmpty   = late.Regexp(`(?i)\btruncate\s+[\w"'.\x60\[]|\bdropDatabase\s*\(|\.drop\s*\(|\bdeleteMany\s*\(\s*\{\s*\}|\b(flushall|flushdb)\b`)
)

// databases is SQL that drops or empties, in the arguments or the input of a
// client.
func databases(v view) *finding {
	switch v.name {
	case "dropdb", "dropuser":
		return no("it drops a database")
	case "mysqladmin":
		if v.begins("drop") {
			return no("it drops a database")
		}
	}
	if !clients[v.name] {
		return nil
	}
	for _, text := range append([]string{v.c.Stdin}, v.args...) {
		if len(text) > 2 && (text[:2] == "-e" || text[:2] == "-c") {
			text = text[2:] // a value that is attached
		}
		text = sqlRun().ReplaceAllString(text, " $1 ") // MySQL runs such a comment
		text = sqlComment().ReplaceAllString(text, " ")
		if strings.Contains(text, "\n") {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		if sqlDrop().MatchString(text) || sqlEmpty().MatchString(text) {
			return no("it drops or empties what a database holds")
		}
	}
	return nil
}
