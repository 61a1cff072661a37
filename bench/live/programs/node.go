// Goroutines work, and one of them writes. A message asks for answers; the log gets a sign when all are printed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"
)

type input struct {
	Message struct{ Work []float64 }
}

func main() {
	log, err := os.OpenFile(os.Args[1], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "pid", os.Getpid())
	type answer struct {
		ms      float64
		printed *sync.WaitGroup
	}
	answers := make(chan answer)
	go func() {
		for one := range answers {
			text, _ := json.Marshal(map[string]any{"to": "peer", "message": one.ms})
			os.Stdout.Write(append(text, '\n'))
			one.printed.Done()
		}
	}()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var line input
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			panic(err)
		}
		var printed sync.WaitGroup
		printed.Add(len(line.Message.Work))
		for _, ms := range line.Message.Work {
			go func(ms float64) {
				until := time.Now().Add(time.Duration(ms * float64(time.Millisecond)))
				for time.Now().Before(until) {
				}
				answers <- answer{ms, &printed}
			}(ms)
		}
		go func() {
			printed.Wait()
			log.Write([]byte("-"))
		}()
	}
}
